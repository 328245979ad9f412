import { makePostCounter } from './post-counter.ts';

/**
 * Downloads an export, reports progress, and saves it like any file. The browser keeps large downloads on disk.
 * @returns its size in bytes; null if the URL returned something else, such as a sign-in page
 * @throws if it is interrupted or `signal` ends it; then nothing is saved
 */
export async function download(
  url: URL,
  signal: AbortSignal,
  onProgress: (posts: number) => void,
): Promise<number | null> {
  const response = await fetch(url, { signal });
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (!response.ok || !response.body || !name) return null;
  const countPosts = makePostCounter(url.searchParams.get('format') ?? 'csv');
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      onProgress(countPosts(bytes));
      controller.enqueue(bytes);
    },
  });
  const file = await new Response(response.body.pipeThrough(counting)).blob();
  save(file, name);
  return file.size;
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has started to read it by then, so the memory can be released.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
