import type { LoaderFunctionArgs } from 'react-router';
import { pictureOf } from '#src/pages/pictures/picture.ts';
import { answerPicture, openToAll } from '../parts/requests/public-responses.ts';

/** The picture that links to a board show. */
export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await openToAll(args);
  return answerPicture(args.request, visit, pictureOf(context.board));
}
