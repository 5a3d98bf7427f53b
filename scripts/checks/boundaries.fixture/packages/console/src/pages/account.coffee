// breaks: every-source-is-read
