import { describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';

const start = Date.UTC(2026, 10, 25);

/** A machine with two clocks, and a clock over it. `pass` advances the time. */
function machine() {
  const at = { machine: start, monotonic: 5_000.25 };
  const clock = createClock({ machine: () => at.machine, monotonic: () => at.monotonic });
  const pass = (milliseconds: number) => {
    at.machine += milliseconds;
    at.monotonic += milliseconds;
  };
  return { at, clock, pass };
}

describe('the clock', () => {
  it("equals the machine's clock until a correction, even a backward one", () => {
    const { at, clock } = machine();
    expect(clock.now()).toBe(start);
    at.machine -= 60_000;
    expect(clock.now()).toBe(start - 60_000);
  });

  it('adds the correction, and follows the machine', () => {
    const { clock, pass } = machine();
    clock.correct(-31 * 86_400_000);
    expect(clock.now()).toBe(start - 31 * 86_400_000);
    pass(700);
    expect(clock.now()).toBe(start - 31 * 86_400_000 + 700);
    clock.correct(-31 * 86_400_000 + 300);
    expect(clock.now()).toBe(start - 31 * 86_400_000 + 1_000);
  });

  it("ignores jumps of the machine's clock between two corrections, but keeps clock drift", () => {
    const { at, clock, pass } = machine();
    clock.correct(0);
    at.machine += 900;
    expect(clock.now()).toBe(start + 900);
    at.machine += 400 * 86_400_000;
    pass(10);
    expect(clock.now()).toBe(start + 900); // it never goes back
    at.machine -= 800 * 86_400_000;
    pass(990);
    expect(clock.now()).toBe(start + 1_000);
  });

  it('pauses during a small backward correction, and follows a large one', () => {
    const { clock, pass } = machine();
    clock.correct(5_000);
    expect(clock.now()).toBe(start + 5_000);
    clock.correct(0);
    expect(clock.now()).toBe(start + 5_000);
    pass(4_999);
    expect(clock.now()).toBe(start + 5_000);
    pass(2);
    expect(clock.now()).toBe(start + 5_001);
    clock.correct(-5_001);
    expect(clock.now()).toBe(start);
  });
});
