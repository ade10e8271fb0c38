import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type DownloadContent,
  type DownloadScope,
  downloadContent,
  maxQuestionLength,
} from '../../../contract/gallery.ts';
import { linkDays } from '../../../contract/shared-links.ts';
import type { DownloadRequest, LinkRequest } from '../../services/queries.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import type { Download } from '../app/use-download.ts';
import { noRecipient, RecipientFields, recipientBody } from '../forms/recipient-fields.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { fileSize } from '../ui/file-size.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { DownloadProgressBar } from './download-progress.tsx';
import { type Addition, MediumFields } from './medium-fields.tsx';
import { newZipPassword } from './new-zip-password.ts';
import classes from './recipient-dialog.module.css';

/** Number and size of the files of a download. */
export interface KnownFiles {
  readonly files: number;
  readonly sizeBytes: number;
}

/** Counts the files of a download, and for an anonymised copy the images that may have text in them; `failure`: why it could not. */
export const usePreview = (scope: DownloadScope & { readonly content?: DownloadContent }, enabled: boolean) => {
  const failureText = useFailureText();
  const { data, error } = useQuery({ ...useGallery().preview(scope), enabled, staleTime: 0 });
  return { data, failure: error ? failureText(failureOfQuery(error)) : null };
};

interface BurnedInWarningProps {
  /** Images that may have text in them; null while they are counted. */
  readonly count: number | null;
  /** Why they could not be counted; null when they were. */
  readonly failure: string | null;
  readonly isConfirmed: boolean;
  readonly isDisabled: boolean;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

/** Warns of text in the pixels of an anonymised copy, which the user confirms. */
const BurnedInWarning = ({ count, failure, isConfirmed, isDisabled, onConfirm }: BurnedInWarningProps) => {
  const { t } = useTranslation('gallery');
  if (failure !== null) return <IconAlert>{failure}</IconAlert>;
  if (count === null) return <p className={classes.text}>{t('checkingImages')}</p>;
  if (count === 0) return null;
  return (
    <div className={classes.warning} role="status">
      <IconAlert tone="caution">{t('burnedIn', { count })}</IconAlert>
      <Checkbox
        label={t('burnedInConfirm')}
        disabled={isDisabled}
        checked={isConfirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
      />
    </div>
  );
};

/** How a link shows the images. */
interface LinkChoice {
  readonly days: (typeof linkDays)[number];
  readonly showsPatient: boolean;
}

const firstLinkChoice: LinkChoice = { days: '7', showsPatient: false };

interface LinkFieldsProps {
  readonly value: LinkChoice;
  readonly disabled: boolean;
  readonly onChange: (value: LinkChoice) => void;
}

/** Term of a link, and whether it shows who the patient is. */
const LinkFields = ({ value, disabled, onChange }: LinkFieldsProps) => {
  const { t } = useTranslation('share');
  return (
    <>
      <NativeSelect
        label={t('term')}
        disabled={disabled}
        data={linkDays.map((days) => ({ value: days, label: t('days', { count: Number(days) }) }))}
        value={value.days}
        onChange={({ currentTarget }) =>
          onChange({ ...value, days: linkDays.find((days) => days === currentTarget.value) ?? value.days })
        }
      />
      <Checkbox
        label={t('showsPatient')}
        description={t(value.showsPatient ? 'showsPatient-on' : 'showsPatient-off')}
        disabled={disabled}
        checked={value.showsPatient}
        onChange={(event) => onChange({ ...value, showsPatient: event.currentTarget.checked })}
      />
    </>
  );
};

interface RecipientFormProps {
  readonly scope: DownloadScope;
  /** Null: still loading. */
  readonly known: KnownFiles | null;
  /** The images may be shared by a link. */
  readonly canShare: boolean;
  readonly offersRecord: boolean;
  readonly download: Download;
  readonly isMakingLink: boolean;
  readonly onSave: (request: DownloadRequest) => void;
  readonly onShare: (request: LinkRequest) => void;
}

const ways = [...downloadContent.options, 'link'] as const;
type Way = DownloadContent | 'link';

/** Asks how images are given to whom and what for. */
export const RecipientForm = (props: RecipientFormProps) => {
  const { scope, known, canShare, offersRecord, download, isMakingLink, onSave, onShare } = props;
  const { t, i18n } = useTranslation(['gallery', 'share']);
  const [chosen, setWay] = useState<Way>('originals');
  const hasNoImages = known?.files === 0;
  const way = hasNoImages ? 'record' : chosen;
  const [recipient, setRecipient] = useState(noRecipient);
  const [question, setQuestion] = useState('');
  const [link, setLink] = useState(firstLinkChoice);
  const [isEncrypted, setEncrypted] = useState(true);
  const [additions, setAdditions] = useState<readonly Addition[]>([]);
  const isAnonymised = way === 'anonymised' || (way === 'link' && !link.showsPatient);
  const preview = usePreview({ ...scope, content: 'anonymised' }, isAnonymised);
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const burnedIn = isAnonymised ? (preview.data?.burnedIn ?? null) : 0;
  const isReady = known !== null && burnedIn !== null && (burnedIn === 0 || confirmed === burnedIn);
  const { progress, stop } = download;
  const isLarger = way === 'dicom' && additions.some((one) => one === 'uncompressed' || one === 'pictureIndex');
  const isBusy = progress !== null || isMakingLink;
  const hasRecipient = recipient.recipient.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const language = languageOf(i18n.language) ?? defaultLanguage;
    if (!hasRecipient || !isReady || isBusy) return;
    const request = {
      ...scope,
      ...recipientBody(recipient),
      ...(burnedIn > 0 && { confirmedBurnedIn: burnedIn }),
      ...(question.trim() !== '' && way !== 'anonymised' && { question }),
    };
    if (way === 'link') return onShare({ ...request, ...link, recipient: recipient.recipient.trim() });
    onSave({
      ...request,
      ...(way !== 'originals' && { content: way }),
      ...(way === 'dicom' && Object.fromEntries(additions.map((addition) => [addition, true]))),
      ...((way === 'record' || (way === 'dicom' && additions.includes('pictureIndex'))) && { language }),
      ...(isEncrypted && { password: newZipPassword() }),
    });
  };
  const offered = ways.filter((one) => {
    if (hasNoImages) return one === 'record';
    if (one === 'link') return canShare;
    return one !== 'record' || offersRecord;
  });
  return (
    <form className={classes.form} onSubmit={submit}>
      <p className={classes.text}>{t('recipientText')}</p>
      <RecipientFields required value={recipient} disabled={isBusy} onChange={setRecipient} />
      <NativeSelect
        label={t('content')}
        description={t(`content-${way}-help`)}
        inputWrapperOrder={['label', 'input', 'description']}
        disabled={isBusy}
        data={offered.map((value) => ({ value, label: t(`content-${value}`) }))}
        value={way}
        onChange={({ currentTarget }) => setWay(ways.find((one) => one === currentTarget.value) ?? way)}
      />
      {way === 'dicom' && <MediumFields additions={additions} isDisabled={isBusy} onChange={setAdditions} />}
      {way === 'link' && <LinkFields value={link} disabled={isBusy} onChange={setLink} />}
      {way !== 'anonymised' && (
        <Textarea
          autosize
          minRows={2}
          maxRows={8}
          label={t('question')}
          description={t(way === 'link' ? 'share:questionHelp' : 'questionHelp')}
          inputWrapperOrder={['label', 'input', 'description']}
          maxLength={maxQuestionLength}
          disabled={isBusy}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
      )}
      {isAnonymised && (
        <BurnedInWarning
          count={burnedIn}
          failure={preview.failure}
          isConfirmed={confirmed !== null && confirmed === burnedIn}
          isDisabled={isBusy}
          onConfirm={(isConfirmed) => setConfirmed(isConfirmed ? burnedIn : null)}
        />
      )}
      {way !== 'link' && (
        <Checkbox
          label={t('encrypt')}
          description={t('encryptHelp')}
          disabled={isBusy}
          checked={isEncrypted}
          onChange={(event) => setEncrypted(event.currentTarget.checked)}
        />
      )}
      <div className={classes.buttons}>
        {progress ? (
          <DownloadProgressBar progress={progress} expectedBytes={known?.sizeBytes ?? 0} onStop={stop} />
        ) : (
          <Button type="submit" disabled={!hasRecipient || !isReady} loading={known === null || isMakingLink}>
            {way === 'link'
              ? t('share:make')
              : t(isLarger ? 'downloadLarger' : 'downloadContent', {
                  size: fileSize(known?.sizeBytes ?? 0, i18n.language),
                })}
          </Button>
        )}
      </div>
    </form>
  );
};
