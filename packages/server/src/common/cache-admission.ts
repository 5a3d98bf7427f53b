/**
 * Probabilistic admission to a cache: true for one call in eight, by chance. A cache that is shown everything and takes an eighth soon has
 * what is used often, and hardly notices what is used once. A cache that takes everything loses what it has to whatever is used once, and
 * the garbage collector has to move all of that and find it again.
 */
export const isAdmitted = (): boolean => Math.random() * 8 < 1;
