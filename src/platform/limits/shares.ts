/** How much of something scarce may be held at a time: by all senders together, and by one network. */
export type ShareLimits = { all: number; network: number };

/** What one request or connection holds. */
export type Holding = {
  /** Holds more. A network above its limit then loses something, which may be this. */
  add(amount: number): void;
  /** From now on it counts as held for less long than all others of its network. */
  touch(): void;
  /** Gives back all of it. */
  release(): void;
};

/** How a holding comes into being. */
export type Claim = {
  network: string;
  /** A proxy that is trusted sends for many networks, so it has no limit of its own. */
  isProxy?: boolean;
  /** Whether nothing is being done for it: then it is lost before those for which something is. */
  isIdle(): boolean;
  /** Takes it away; it is released by then. */
  lose(): void;
};

type Held = Claim & { amount: number };
type Network = { amount: number; held: Set<Held> };

/**
 * Divides something scarce among all who send. Above a limit, the network that holds the most loses first, and of its
 * holdings the one that has been idle the longest: senders that are slow or silent, or one of thousands, give way to all others.
 */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #networks = new Map<string, Network>();
  #amount = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Begins to hold, at first nothing. */
  hold(claim: Claim): Holding {
    const held: Held = { ...claim, amount: 0 };
    const network = this.#networks.get(claim.network) ?? { amount: 0, held: new Set() };
    this.#networks.set(claim.network, network);
    network.held.add(held);
    return {
      add: (amount) => this.#add(held, network, amount),
      touch: () => void (network.held.delete(held) && network.held.add(held)),
      release: () => this.#release(held, network),
    };
  }

  #add(held: Held, network: Network, amount: number): void {
    if (!network.held.has(held)) return;
    held.amount += amount;
    network.amount += amount;
    this.#amount += amount;
    while (!held.isProxy && network.amount > this.#limits.network) this.#takeFrom(network);
    while (this.#amount > this.#limits.all) this.#takeFrom(this.#largest());
  }

  #release(held: Held, network: Network): void {
    if (!network.held.delete(held)) return;
    network.amount -= held.amount;
    this.#amount -= held.amount;
    if (network.held.size === 0 && this.#networks.get(held.network) === network) this.#networks.delete(held.network);
  }

  #takeFrom(network: Network): void {
    const lost = findLongest(network.held, ({ isIdle }) => isIdle()) ?? findLongest(network.held, () => true);
    if (!lost) throw new Error('more is held than all hold');
    this.#release(lost, network);
    lost.lose();
  }

  #largest(): Network {
    let largest: Network = { amount: 0, held: new Set() };
    for (const network of this.#networks.values()) if (network.amount > largest.amount) largest = network;
    return largest;
  }
}

function findLongest(held: ReadonlySet<Held>, isMeant: (one: Held) => boolean): Held | undefined {
  for (const one of held) if (one.amount > 0 && isMeant(one)) return one;
  return undefined;
}
