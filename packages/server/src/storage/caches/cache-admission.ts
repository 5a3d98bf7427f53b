/**
 * Probabilistic admission to a cache: true for one call in eight, by chance. A cache that is offered everything and takes an eighth soon
 * has what is used often, and hardly notices what is used once. A cache that takes everything loses its contents to whatever is used once,
 * which the garbage collector then has to move and free.
 */
export const isAdmitted = (): boolean => Math.random() * 8 < 1;
