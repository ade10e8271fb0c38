import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type DownloadContent,
  type DownloadScope,
  downloadContent,
  maxQuestionLength,
} from '../../../contract/gallery.ts';
import type { DownloadRequest } from '../../services/queries.ts';
import type { Download } from '../app/use-download.ts';
import { noRecipient, RecipientFields, recipientBody } from '../forms/recipient-fields.tsx';
import { fileSize } from '../ui/file-size.ts';
import { BurnedInWarning } from './burned-in-warning.tsx';
import { DownloadProgressBar } from './download-progress.tsx';
import { newZipPassword } from './new-zip-password.ts';
import classes from './recipient-dialog.module.css';
import { type KnownFiles, usePreview } from './use-preview.ts';

interface RecipientFormProps {
  readonly scope: DownloadScope;
  /** Null: still loading. */
  readonly known: KnownFiles | null;
  readonly download: Download;
  readonly onSubmit: (request: DownloadRequest) => void;
}

/** Asks what is downloaded, for whom and what for. */
export const RecipientForm = ({ scope, known, download, onSubmit }: RecipientFormProps) => {
  const { t, i18n } = useTranslation('gallery');
  const [content, setContent] = useState<DownloadContent>('originals');
  const [recipient, setRecipient] = useState(noRecipient);
  const [question, setQuestion] = useState('');
  const [isEncrypted, setEncrypted] = useState(true);
  const isAnonymised = content === 'anonymised';
  const preview = usePreview({ ...scope, content }, isAnonymised);
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const burnedIn = isAnonymised ? (preview.data?.burnedIn ?? null) : 0;
  const isReady = known !== null && burnedIn !== null && (burnedIn === 0 || confirmed === burnedIn);
  const { progress, stop } = download;
  const isBusy = progress !== null;
  const hasRecipient = recipient.recipient.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!hasRecipient || !isReady || isBusy) return;
    onSubmit({
      ...scope,
      ...recipientBody(recipient),
      ...(content !== 'originals' && { content }),
      ...(burnedIn > 0 && { confirmedBurnedIn: burnedIn }),
      ...(question.trim() !== '' && !isAnonymised && { question }),
      ...(isEncrypted && { password: newZipPassword() }),
    });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <p className={classes.text}>{t('recipientText')}</p>
      <RecipientFields required value={recipient} disabled={isBusy} onChange={setRecipient} />
      <NativeSelect
        label={t('content')}
        description={t(`content-${content}-help`)}
        inputWrapperOrder={['label', 'input', 'description']}
        disabled={isBusy}
        data={downloadContent.options.map((value) => ({ value, label: t(`content-${value}`) }))}
        value={content}
        onChange={(event) => setContent(downloadContent.parse(event.currentTarget.value))}
      />
      {!isAnonymised && (
        <Textarea
          autosize
          minRows={2}
          maxRows={8}
          label={t('question')}
          description={t('questionHelp')}
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
      <Checkbox
        label={t('encrypt')}
        description={t('encryptHelp')}
        disabled={isBusy}
        checked={isEncrypted}
        onChange={(event) => setEncrypted(event.currentTarget.checked)}
      />
      <div className={classes.buttons}>
        {isBusy ? (
          <DownloadProgressBar progress={progress} expectedBytes={known?.sizeBytes ?? 0} onStop={stop} />
        ) : (
          <Button type="submit" disabled={!hasRecipient || !isReady} loading={known === null}>
            {t('downloadContent', { size: fileSize(known?.sizeBytes ?? 0, i18n.language) })}
          </Button>
        )}
      </div>
    </form>
  );
};
