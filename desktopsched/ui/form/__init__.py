"""The task form: a task as a page of fields. UI thread, but for what is pure.

The form speaks the language of the task file: each control gives and takes what the file would have for its field, the
whole is read by the file's own readers, and what they say is shown beside the field that it is about.
"""
