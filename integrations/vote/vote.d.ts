/** What `<earshot-vote>` reports once a vote has counted. */
export type EarshotVote = {
  id: string;
  title: string;
  url: string;
  upvoteCount: number;
  viewerVote: 'UP' | 'DOWN' | null;
  isLocked: boolean;
};

declare global {
  interface HTMLElementEventMap {
    vote: CustomEvent<EarshotVote>;
  }
}
