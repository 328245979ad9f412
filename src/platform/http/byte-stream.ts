/**
 * Parts of a text as the bytes of an HTTP response. Nothing is read ahead of its reader, nor after the reader has gone.
 * @param onFault called with the error that ends it early
 */
export function toByteStream(
  parts: AsyncGenerator<string>,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onFault(error);
        throw error;
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  };
  // By default the first part is read at once, even if the request is a HEAD.
  return new ReadableStream(source, { highWaterMark: 0 });
}
