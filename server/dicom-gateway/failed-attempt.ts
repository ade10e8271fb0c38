import type { FetchFailure } from '../../contract/dicom-fetches.ts';
import type { SendingFailure } from '../../contract/dicom-sendings.ts';

/** An attempt to work with a device that failed, for the log: without data of patients. */
export interface FailedAttempt {
  readonly deviceId: string;
  /** To send images, to ask whether the device has them for good, or to fetch studies. */
  readonly to: 'send' | 'ask for commitment' | 'fetch';
  readonly failure: SendingFailure | FetchFailure;
}
