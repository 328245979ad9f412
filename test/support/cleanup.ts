import type { TestContext } from 'node:test';

const tasks = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs `task` when the test ends, the last one added first: a store is closed before its place is removed. */
export function onEnd(t: TestContext, task: () => unknown): void {
  const existing = tasks.get(t);
  if (existing) {
    existing.push(task);
    return;
  }
  const stack = [task];
  tasks.set(t, stack);
  t.after(async () => {
    for (let next = stack.pop(); next; next = stack.pop()) await next();
  });
}
