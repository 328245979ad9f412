import type { AddressInfo, Server } from 'node:net';

/** Tells the benchmark where the server listens, and ends the process when asked to. */
export function announce(server: Server, close: () => Promise<unknown>): void {
  const { port } = server.address() as AddressInfo;
  process.once('SIGTERM', async () => {
    await close();
    process.exit(0);
  });
  console.log(JSON.stringify({ port }));
}

/** A variable that the benchmark sets. */
export function requireVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this file is started by bench/run.ts`);
  return value;
}
