import { useTranslation } from 'react-i18next';
import type { PartState, SystemDetails } from '../../../contract/system-status.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { fileSize } from '../ui/file-size.ts';

/** A part of the installation as the page shows it. */
export interface PartText {
  readonly key: string;
  readonly name: string;
  readonly state: PartState;
  readonly lines: readonly string[];
  /** Since when it is in this state. */
  readonly since: string | null;
  /** Advice; null when nothing is to be done. */
  readonly cure: string | null;
  /** Message that can be sent to try the part. */
  readonly test?: 'mail' | 'sms';
}

type Line<Name extends keyof SystemDetails> = NonNullable<SystemDetails[Name]>;

/** Returns a function that describes the parts in the current language. `program`: how commands are called. */
export const usePartTexts = (program: string): ((details: SystemDetails) => readonly PartText[]) => {
  const { t, i18n } = useTranslation(['system-details', 'system', 'sign-in']);
  const momentText = useMomentText();
  const size = (bytes: number) => fileSize(bytes, i18n.language);
  const sinceOf = ({ since }: { readonly since: string | null }) => since && t('since', { since: momentText(since) });

  const version = (part: Line<'version'>): PartText => ({
    key: 'version',
    name: t('version'),
    state: part.state,
    lines: [`Dentarium ${part.version}`, ...(part.schema === 'same' ? [] : [t(`version-${part.schema}`)])],
    since: sinceOf(part),
    cure: part.schema === 'same' ? null : t(`version-${part.schema}-cure`),
  });
  const disk = (part: Line<'disk'>): PartText => ({
    key: 'disk',
    name: t('disk'),
    state: part.state,
    lines: [
      part.space
        ? t('disk-free', { free: size(part.space.freeBytes), total: size(part.space.totalBytes) })
        : t('disk-gone'),
    ],
    since: sinceOf(part),
    cure: part.state === 'ok' ? null : t('disk-cure'),
  });
  const database = (part: Line<'database'>): PartText => ({
    key: 'database',
    name: t('database'),
    state: part.state,
    lines: [
      t(part.isEmbedded ? 'database-embedded' : 'database-own', { version: part.version }),
      t('database-size', {
        size: size(part.sizeBytes),
        connections: part.connections,
        most: part.mostConnections,
      }),
    ],
    since: sinceOf(part),
    cure: part.state === 'ok' ? null : t('database-cure'),
  });
  const queue = (part: SystemDetails['queues'][number]): PartText => ({
    key: part.queue,
    name: t(`queue-${part.queue}`),
    state: part.state,
    lines: [t('waiting', { count: part.length })],
    since: part.since && t('oldest', { since: momentText(part.since) }),
    cure: part.state === 'ok' ? null : t(part.queue === 'mails' ? 'queue-mails-cure' : 'queue-imports-cure'),
  });
  const backup = (part: Line<'backup'>): PartText => {
    const { lastGood, folder, nextAt, runningSince, error, state } = part;
    const cure = folder === null ? t('backup-manual-cure') : t('system:backupCure', { program });
    return {
      key: 'backup',
      name: t('backup'),
      state,
      lines: [
        lastGood
          ? t('backup-last', { at: momentText(lastGood.at), size: size(lastGood.sizeBytes), folder: lastGood.folder })
          : t('backup-none'),
        ...(lastGood && lastGood.absent > 0 ? [t('backup-absent', { count: lastGood.absent })] : []),
        ...(error ? [t(`system:backup-${error}`)] : []),
        ...(runningSince ? [t('backup-running', { since: momentText(runningSince) })] : []),
        ...(folder === null ? [t('backup-manual')] : []),
        ...(nextAt && !runningSince ? [t('backup-next', { at: momentText(nextAt) })] : []),
      ],
      since: sinceOf(part),
      cure: state === 'ok' ? null : cure,
    };
  };
  const fileCheck = (part: Line<'fileCheck'>): PartText => ({
    key: 'fileCheck',
    name: t('check'),
    state: part.state,
    lines: [
      t('check-progress', {
        share: part.share.toLocaleString(i18n.language, { style: 'percent' }),
        since: momentText(part.startedAt),
      }),
    ],
    since: sinceOf(part),
    cure: part.state === 'ok' ? null : t('check-cure'),
  });
  const certificate = (part: Line<'certificate'>): PartText => {
    const { problem } = part;
    const isOfServer = problem === 'unreachable' || problem === 'untrusted';
    return {
      key: 'certificate',
      name: t('certificate'),
      state: part.state,
      lines: [
        ...(problem ? [t(`certificate-${problem}`)] : []),
        ...(part.validUntil ? [t('certificate-until', { until: momentText(part.validUntil) })] : []),
        t('certificate-checked', { at: momentText(part.checkedAt) }),
      ],
      since: sinceOf(part),
      cure: part.state === 'ok' ? null : isOfServer ? t(`certificate-${problem}-cure`) : t('certificate-cure'),
    };
  };
  const messages = (key: 'mail' | 'sms', part: Line<'mail'>): PartText => ({
    key,
    name: t(key),
    state: part.state,
    lines: [t(part.isConfigured ? `${key}-on` : `${key}-off`)],
    since: sinceOf(part),
    cure: part.state === 'ok' ? null : t('mail-cure'),
    ...(part.isConfigured && { test: key }),
  });
  const signIn = (part: Line<'signIn'>): PartText => ({
    key: 'signIn',
    name: t('signIn'),
    state: part.state,
    lines: [
      part.methods
        .map(({ method, label, test }) => {
          const name = label ?? t(`sign-in:name-${method}`);
          return test ? t('signIn-test', { name }) : name;
        })
        .join(', '),
    ],
    since: sinceOf(part),
    cure: part.state === 'ok' ? null : t('signIn-cure'),
  });

  return (details) => [
    version(details.version),
    disk(details.disk),
    database(details.database),
    ...details.queues.map(queue),
    backup(details.backup),
    fileCheck(details.fileCheck),
    ...(details.certificate ? [certificate(details.certificate)] : []),
    messages('mail', details.mail),
    messages('sms', details.sms),
    signIn(details.signIn),
  ];
};
