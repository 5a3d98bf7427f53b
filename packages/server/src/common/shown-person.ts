/** Names of people, as others may see them. */

/** Returns a name, or what stands before the `@` of an email address that serves as one. */
export function withoutAddress(name: string): string {
  return /^[^\s@]+@\S+$/.test(name) ? name.slice(0, name.indexOf('@')) : name;
}
