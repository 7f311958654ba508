"""The search tool and the desks, for use in other people's graphs."""
