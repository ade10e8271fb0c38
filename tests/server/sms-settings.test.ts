import { describe, expect, it } from 'vitest';
import { codeMessage } from '../../server/identity/sms/code-message.ts';
import { isTestGateway, readSmsSettings } from '../../server/identity/sms/sms-settings.ts';
import { telephoneOf } from '../../server/identity/sms/telephone.ts';
import { StartupError } from '../../server/startup-error.ts';

it.each(['sv', 'en', 'da', 'no'] as const)('the message in %s fits into one GSM-7 text message', (language) => {
  const text = codeMessage(language, '123456', 5, 'bilder.tandkliniken.example');
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toMatch(/^[A-Za-z0-9 .,@#:\-\nåäöÅÄÖæøÆØ]+$/);
  expect(text.split('\n').at(-1)).toBe('@bilder.tandkliniken.example #123456');
});

it.each([
  ['070-174 06 11', '+46701740611'],
  ['+46 (0)70-174 06 11', '+46701740611'],
  ['0046701740611', '+46701740611'],
  ['+45 20 12 34 56', '+4520123456'],
  ['+47 412 34 567', '+4741234567'],
  ['+358 40 1234567', '+358401234567'],
  ['018-12 34 56', null],
  ['070-174 06 1', null],
  ['46701740611', null],
  ['+47 22 12 34 56', null],
  ['ring mig', null],
  ['', null],
])('%s is normalized to %s', (written, number) => {
  expect(telephoneOf(written)).toBe(number);
});

describe('settings', () => {
  it('accept a token as bearer', () => {
    const environment = { DENTARIUM_SMS_URL: 'https://sms.example/send', DENTARIUM_SMS_TOKEN: 'abc' };
    const settings = readSmsSettings(environment);
    expect(settings).toMatchObject({ authorization: 'Bearer abc', from: 'Dentarium', format: 'form' });
    expect(settings && isTestGateway(settings)).toBe(false);
    expect(isTestGateway({ url: 'http://localhost:8090/send' })).toBe(true);
  });

  it.each([
    ['DENTARIUM_SMS_URL', { DENTARIUM_SMS_TOKEN: 'secret-token' }],
    ['DENTARIUM_SMS_URL', { DENTARIUM_SMS_URL: 'http://sms.example/send' }],
    ['DENTARIUM_SMS_PASSWORD', { DENTARIUM_SMS_URL: 'https://sms.example', DENTARIUM_SMS_USER: 'user' }],
    ['DENTARIUM_SMS_FROM', { DENTARIUM_SMS_URL: 'https://sms.example', DENTARIUM_SMS_FROM: 'Tandkliniken Ljungheden' }],
    [
      'DENTARIUM_SMS_TOKEN',
      {
        DENTARIUM_SMS_URL: 'https://sms.example',
        DENTARIUM_SMS_USER: 'user',
        DENTARIUM_SMS_PASSWORD: 'secret-password',
        DENTARIUM_SMS_TOKEN: 'secret-token',
      },
    ],
  ])('with an invalid %s prevent startup and name it', (name, environment) => {
    expect(() => readSmsSettings(environment)).toThrow(StartupError);
    expect(() => readSmsSettings(environment)).toThrow(name);
    expect(() => readSmsSettings(environment)).not.toThrow(/secret-/);
  });
});
