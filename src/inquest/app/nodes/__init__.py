"""The search tool and the desks as other people's graphs call them."""
