import { Resolver } from 'node:dns/promises';

// Loaded before the built program, this makes it look up records at the server of a test.

const asked = new WeakSet<Resolver>();
const { resolve } = Resolver.prototype;

Resolver.prototype.resolve = function (this: Resolver, ...args: Parameters<typeof resolve>) {
  if (!asked.has(this)) this.setServers([process.env.TEST_DNS ?? '']);
  asked.add(this);
  return resolve.apply(this, args);
} as typeof resolve;
