import { expect, it } from 'vitest';
import { endsSession } from '../../src/services/tabs.ts';
import { accountId, otherAccountId, tokenOf } from './archive-double.ts';

const key = 'oidc.user:http://archive:web';
const tokensOf = (sub: string, round: number) =>
  JSON.stringify({
    access_token: tokenOf(sub, round),
    refresh_token: `refresh-${round}`,
    token_type: 'Bearer',
    expires_at: round,
  });
const [one, other] = [accountId, otherAccountId];

it.each([
  ['another tab renewed the token', { key, oldValue: tokensOf(one, 1), newValue: tokensOf(one, 2) }, false],
  ['another tab signed out', { key, oldValue: tokensOf(one, 1), newValue: null }, true],
  ['another user signed in', { key, oldValue: tokensOf(one, 1), newValue: tokensOf(other, 1) }, true],
  ['the store was cleared', { key: null, oldValue: null, newValue: null }, true],
  ['something else changed', { key: 'dentarium.preferences', oldValue: null, newValue: '{}' }, false],
  ['the tokens were overwritten with rubbish', { key, oldValue: tokensOf(one, 1), newValue: '{' }, true],
])('%s', (_, event, ends) => {
  expect(endsSession(event, key)).toBe(ends);
});
