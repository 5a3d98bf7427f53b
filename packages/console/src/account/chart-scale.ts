/** Scales of charts. */

/** A scale from zero in two to five equal steps of a round number: 1, 2, 2.5 or 5 times a power of ten. The largest value comes first. */
export function scaleOf(value: number): readonly [number, ...number[]] {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const steps = [0.1, 0.2, 0.25, 0.5, 1].map((factor) => factor * power).filter(Number.isInteger);
  const step = steps.find((one) => one * 5 >= value) ?? 5 * power;
  const count = Math.max(1, Math.ceil(value / step));
  return [count * step, ...Array.from({ length: count }, (_, index) => (count - 1 - index) * step)];
}
