import { expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { masked, maskedName } from '../../src/inspect/masked.ts';
import { machines } from '../machines/models/index.ts';

const secrets = [
  'Astrid Berg',
  'astrid',
  '19800101-9804',
  '198001019804',
  'astrid.berg@example.com',
  'Storgatan 1',
  'Demo-2026!',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  '/patient/8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04?q=berg',
  'otpauth://totp/x',
  '2026-03-12',
  'Åsa',
];

it('masks every text that is not a word of the program, at any depth', () => {
  for (const secret of secrets) {
    const shown = JSON.stringify([
      masked(secret),
      masked({ type: 'sign-in.submitted', email: secret, password: secret, nested: [{ deep: { name: secret } }] }),
      masked(new Map([[secret, secret]])),
      masked(new Set([secret])),
      masked(new Error(secret)),
      masked(Object.assign(new Error('x'), { failure: { kind: 'refused', errors: [{ text: secret }] } })),
      masked({ [`${secret} and more`]: 1 }),
    ]);
    expect(shown).not.toContain(secret);
    // Nor its length.
    expect(shown).not.toMatch(new RegExp(`\\b${secret.length}\\b`));
  }
});

it('masks numbers that may be personal data', () => {
  expect(masked(198001019804)).toBe('(number)');
  expect(masked({ percent: 40, at: Date.now() })).toEqual({ percent: 40, at: '(number)' });
});

it('shows words of the program, and the ends of ids', () => {
  const id = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';
  expect(masked({ failure: { kind: 'refused', code: 'no-right', status: 403 }, id, none: null })).toEqual({
    failure: { kind: 'refused', code: 'no-right', status: 403 },
    id: '…7d04',
    none: null,
  });
  expect(maskedName(`xstate.done.actor.${id}`)).toBe('xstate.done.actor.…7d04');
  expect(maskedName('import.Astrid Berg')).toBe('import.?');
});

it('ends on cycles, and truncates long values', () => {
  const self: Record<string, unknown> = {};
  self.self = self;
  expect(JSON.stringify(masked(self))).toContain('(deeper)');
  expect(masked(Array.from({ length: 25 }, (_, index) => index))).toHaveLength(21);
});

it('shows actors by name only', () => {
  const actor = createActor(createMachine({ context: { name: 'Astrid' } }), { id: 'search' });
  expect(masked({ actor })).toEqual({ actor: '(actor search)' });
});

it.each(machines.flatMap(({ id, models }) => models.map((model) => [id, model] as const)))(
  'shows nothing but words of the program of all events of %s',
  (_, model) => {
    const texts = new Set<string>();
    const collect = (value: unknown): void => {
      // Possible personal data: characters that no word of the program contains.
      if (typeof value === 'string' && /[A-ZÅÄÖ@/ ]|\d/.test(value) && !/[a-z]\.[a-z]|-[a-z]/.test(value))
        texts.add(value);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    for (const { type: _, ...payload } of model.events) collect(payload);
    const shown = JSON.stringify(model.events.map(({ type: _, ...payload }) => masked(payload)));
    for (const text of texts) expect(shown).not.toContain(JSON.stringify(text));
  },
);
