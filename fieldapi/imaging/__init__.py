"""What a photo says, and pictures of it that are safe to show. Services call `analyse_photo`,
which decodes in a child process; nothing here imports the rest of the project.
"""
