"""The inquiry desk: from a brief to a cited summary."""
