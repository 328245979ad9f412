import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import type { GqlOptions, TestApp } from './app.ts';

/** A part of a form as it goes over the wire. */
export type Part = { filename?: string; bytes: Uint8Array | string; type?: string; field?: string };

/** What an upload is answered with. */
export type UploadedFile = { id: string; name: string; contentType: string; size: number; url: string };

export const BOUNDARY = 'border-7c1e';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form, with names as they are. */
export function makeForm(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ filename, bytes, type = 'application/octet-stream', field = 'file' }) => {
    const name = filename === undefined ? '' : `; filename="${filename.replaceAll('"', '\\"')}"`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${name}\r\n`;
    const contentType = filename === undefined ? '' : `Content-Type: ${type}\r\n`;
    return [Buffer.from(`${head}${contentType}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The headers of an upload. */
export function uploadHeaders({ key }: TestApp, { key: other, as = 'ada', headers }: GqlOptions = {}) {
  const actor = as === null ? {} : { ssotype: 'SSO', ssoid: as };
  return { apikey: other ?? key, 'content-type': FORM_TYPE, ...actor, ...headers };
}

/** Sends a form to the address for uploads. */
export function sendForm(app: TestApp, payload: Buffer, options?: GqlOptions): Promise<LightMyRequestResponse> {
  return app.app.inject({ method: 'POST', url: '/api/v1/files', headers: uploadHeaders(app, options), payload });
}

/** Uploads a file. @throws when it is refused */
export async function upload(app: TestApp, part: Part, options?: GqlOptions): Promise<UploadedFile> {
  const response = await sendForm(app, makeForm([{ filename: 'file.txt', ...part }]), options);
  if (response.statusCode !== 201) throw new Error(response.body);
  return response.json();
}

/** Gets a file with its address alone. */
export function fetchFile(
  { app }: TestApp,
  url: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ url: new URL(url).pathname, headers });
}

/** Ids of the files whose bytes are on disk. */
export function listBytes({ dataDir }: TestApp): string[] {
  return globSync('*/*', { cwd: join(dataDir, 'files') }).map((path) => path.split(/[/\\]/).at(-1) ?? '');
}

/** Nothing is on disk, and nothing in the store. */
export async function isEmpty(app: TestApp): Promise<boolean> {
  const { db } = app;
  const files = await db.read.selectFrom('files').select('id').execute();
  const removals = await db.read.selectFrom('file_removals').select('file_id').execute();
  return listBytes(app).length + files.length + removals.length === 0;
}

/** The smallest picture that is one: a transparent dot. */
export const PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
