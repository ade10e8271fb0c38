import { z } from 'zod';

/** Hint codes of BankID RP API v6; others become `unknown`. */
export const bankIdHints = [
  'outstandingTransaction',
  'noClient',
  'started',
  'userMrtd',
  'userCallConfirm',
  'userSign',
  'processing',
  'expiredTransaction',
  'certificateErr',
  'userCancel',
  'cancelled',
  'startFailed',
  'userDeclinedCall',
  'notSupportedByUserApp',
  'transactionRiskBlocked',
  'unknown',
] as const;
export const bankIdHint = z.enum(bankIdHints).catch('unknown');
export type BankIdHint = z.infer<typeof bankIdHint>;

/** `autoStartToken` opens the app on this device; `qr` is what a code shows at this second. */
export const startedBankId = z.object({ autoStartToken: z.string(), qr: z.string() });
export type StartedBankId = z.infer<typeof startedBankId>;

/** `qr` is the code of this second, null when it is no longer needed. */
export const pendingBankId = z.object({ status: z.literal('pending'), hint: bankIdHint, qr: z.string().nullable() });
export const failedBankId = z.object({ status: z.literal('failed'), hint: bankIdHint });
