/** A request that no page can handle, with the HTTP status and what is wrong with it. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, words: string) {
    super(words);
    this.statusCode = statusCode;
  }
}
