/** A request that no page can handle, with the HTTP status and what is wrong with it. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, words: string) {
    super(words);
    this.statusCode = statusCode;
  }
}

/** Why a form of another site is refused. */
export const FROM_ELSEWHERE =
  'This form was sent from another site, so nothing was changed. Open the page here and try again.';
