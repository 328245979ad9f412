/** What processes notify each other about: new work of this kind. Only a hint; the truth is in the rows. */
export type Topic = 'deliveries' | 'mails' | 'notices' | 'erasures' | 'issues';

/** The listeners in this process. */
export class Topics {
  readonly #listeners = new Map<Topic, Set<() => void>>();

  /** Calls `listener` at each hint until the returned function is called. */
  listen(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Notifies the listeners of these topics, and clears the topics. */
  flush(topics: Set<Topic>): void {
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) listener();
    topics.clear();
  }
}
