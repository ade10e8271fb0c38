import { expect, it } from 'vitest';
import { endsSession } from '../../src/services/tabs.ts';

const key = 'oidc.user:http://archive:web';
const tokensOf = (sub: string, round: number) => {
  const claims = { sub, exp: round, permission: [], role: [], customer_id: null };
  return JSON.stringify({ access_token: `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s${round}` });
};
const one = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const other = '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11';

it.each([
  ['another tab renewed the token', { key, oldValue: tokensOf(one, 1), newValue: tokensOf(one, 2) }, false],
  ['another tab signed out', { key, oldValue: tokensOf(one, 1), newValue: null }, true],
  ['somebody else signed in', { key, oldValue: tokensOf(one, 1), newValue: tokensOf(other, 1) }, true],
  ['the store was cleared', { key: null, oldValue: null, newValue: null }, true],
  ['something else changed', { key: 'dentarium.preferences', oldValue: null, newValue: '{}' }, false],
  ['the tokens were overwritten with rubbish', { key, oldValue: tokensOf(one, 1), newValue: '{' }, true],
])('%s', (_, event, ends) => {
  expect(endsSession(event, key)).toBe(ends);
});
