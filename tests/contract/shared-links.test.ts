import { expect, it } from 'vitest';
import { codeAlphabet, codeLength, shownCode, typedCode } from '../../contract/shared-links.ts';
import { sharedAddress } from '../../contract/shared-path.ts';

it('reads a code however it is typed', () => {
  expect(shownCode('ABCDEFGH')).toBe('ABCD-EFGH');
  for (const typed of ['ABCD-EFGH', 'abcdefgh', ' abcd efgh ', 'AB CD-EF GH', 'ABCD–EFGH', 'ABCD\u00a0EFGH'])
    expect(typedCode(typed)).toBe('ABCDEFGH');
});

it('has codes of 39 bits or more, without characters that look alike', () => {
  expect(new Set(codeAlphabet).size).toBe(codeAlphabet.length);
  expect(codeLength * Math.log2(codeAlphabet.length)).toBeGreaterThan(39);
  expect(codeAlphabet).not.toMatch(/[01ILO]/);
});

it('has the secret in the fragment of the address, which browsers do not send', () => {
  const address = new URL(sharedAddress('https://archive.example', { id: 'id', secret: 'secret' }));
  expect(address.hash).toBe('#id.secret');
  expect(address.pathname + address.search).toBe('/shared');
});
