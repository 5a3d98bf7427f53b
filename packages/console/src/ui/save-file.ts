/** Saves a text as a file, like a download. */
export function saveFile(
  name: string,
  type: 'application/json' | 'application/x-ndjson' | 'text/csv' | 'text/plain',
  text: string,
): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name.replaceAll(/[^\w.@-]/g, '_') });
  link.click();
  URL.revokeObjectURL(url);
}
