/** Quantities for people to read. */

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a number of bytes in the largest unit that fits. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** Returns a number with its digits in groups of three. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
