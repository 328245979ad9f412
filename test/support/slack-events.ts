/** The message from which tests make an idea, and the channel that it is in. */
export const CHANNEL = 'C111';
export const ROOT_TS = '1795253400.000300';

/**
 * A reply in its thread, with all properties that Slack sends: those of the wrapper stand at
 * https://docs.slack.dev/apis/events-api, those of a message at https://docs.slack.dev/reference/events/message and in the
 * type `GenericMessageEvent` of github.com/slackapi/node-slack-sdk.
 */
export function replyEvent(n: number, changes: Record<string, unknown> = {}) {
  const ts = `1795253${String(400 + n).padStart(3, '0')}.000400`;
  const text = typeof changes.text === 'string' ? changes.text : `Reply ${n}`;
  const element = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return wrap(`Ev${n}`, {
    client_msg_id: `9cbd4c5b-7ddf-4ede-b479-${String(n).padStart(12, '0')}`,
    type: 'message',
    text,
    user: 'W333',
    ts,
    team: 'T111',
    thread_ts: ROOT_TS,
    parent_user_id: 'W222',
    blocks: [{ type: 'rich_text', block_id: 'BVp', elements: [element] }],
    channel: CHANNEL,
    event_ts: ts,
    channel_type: 'channel',
    ...changes,
  });
}

/** An event of any kind in its wrapper. */
export function wrap(eventId: string, event: Record<string, unknown>) {
  return {
    token: 'verification_token',
    team_id: 'T111',
    context_team_id: 'T111',
    context_enterprise_id: null,
    api_app_id: 'A111',
    event,
    type: 'event_callback',
    event_id: eventId,
    event_time: 1795253400,
    authorizations: [
      { enterprise_id: null, team_id: 'T111', user_id: 'W999', is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
    event_context: '4-eyJldCI6Im1lc3NhZ2UiLCJ0aWQiOiJUMTExIiwiYWlkIjoiQTExMSIsImNpZCI6IkMxMTEifQ',
  };
}

/** What Slack sends to check a URL. */
export const CHECK = {
  token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
  challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
  type: 'url_verification',
};
