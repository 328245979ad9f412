/** What events are about, as webhooks deliver it (`docs/webhooks.md`, "The events"). */
type Named = { id: string; name: string | null };
type EventStatus = { id: string; name: string; type: 'UNASSIGNED' | 'COMPLETED' | 'ARCHIVED' | 'MERGED' | 'CUSTOM' };
type EventTag = { id: string; name: string };
type BriefPost = { id: string; title: string; url: string };
type EventPost = BriefPost & {
  text: string | null;
  upvoteCount: number;
  status: EventStatus;
  tags: EventTag[];
  user: Named | null;
};
type EventComment = { id: string; text: string; type: string; post: { id: string }; user: Named | null };
type EventEntry = {
  id: string;
  number: number;
  title: string;
  text: string;
  url: string;
  labels: ('NEW' | 'IMPROVED' | 'FIXED')[];
  posts: { id: string }[];
  user: Named | null;
};

/** `data` of each type of event. */
export type EventData = {
  'post.created': { post: EventPost };
  'post.deleted': { post: EventPost };
  'post.status.updated': { post: BriefPost; status: EventStatus; previousStatus: EventStatus; user: Named | null };
  'post.tags.updated': { post: BriefPost; tags: EventTag[]; previousTags: EventTag[]; user: Named | null };
  'comment.created': { comment: EventComment };
  'comment.deleted': { comment: EventComment };
  'changelog.published': { entry: EventEntry };
  'changelog.unpublished': { entry: { id: string } & Partial<EventEntry> };
};

export type EventType = keyof EventData;

type Body<Type, Data> = { event: Type; boardId: string; triggeredAt: string; data: Data };

/** An event as a webhook delivers it. `test` is sent by hand. */
export type WebhookEvent =
  | { [Type in EventType]: Body<Type, EventData[Type]> }[EventType]
  | Body<'test', { message: string }>;

/** What may be shown: of what is deleted or not published, members see only the id. */
type Shown<Data> = {
  [K in keyof Data & ('post' | 'comment' | 'entry')]: { id: string } & Partial<Data[K]>;
} & Partial<Omit<Data, 'post' | 'comment' | 'entry'>>;

/** An event of the stream. */
export type StreamEvent = {
  [Type in EventType]: Body<Type, Shown<EventData[Type]>> & {
    /** The id that its deliveries have as `webhook-id`. */
    id: string;
    /** Where the stream is after this event: `after` continues here. */
    cursor: string;
  };
}[EventType];
