import type { TestApp } from './app.ts';

/** The id of the status with a name. */
export async function statusNamed({ api }: TestApp, name: string): Promise<string> {
  const statuses = await api.listStatuses({ id: true, name: true });
  const found = statuses.find((status) => status.name === name);
  if (!found) throw new Error(`There is no status ${name}`);
  return found.id;
}
