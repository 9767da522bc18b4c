"""Photos on their way into evidence, and what becomes of them there.

`uploads` pieces of a photo, with `upload_starts` and `upload_ends` · `receiving` whole bytes,
proven and stored once · `announcements` who said that they would come · `aside` bytes that are not
what they should be · `files` what bytes are and whose · `quota` how many a day · `previews` small
pictures sent ahead · `derivatives` what is made of a stored photo · `damage` bytes found damaged or
gone · `audit` rows held against the store, with `checkpoints` and `adoption` · `views` who saw one.
"""

from fieldapi.services.photos.receiving import Body, Kept, receive

__all__ = ["Body", "Kept", "receive"]
