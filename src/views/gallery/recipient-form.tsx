import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DownloadContent, type DownloadScope, downloadContent } from '../../../contract/gallery.ts';
import type { DownloadRequest } from '../../services/queries.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import type { Download } from '../app/use-download.ts';
import { useFailureText } from '../language/failure-text.ts';
import { fileSize } from '../ui/file-size.ts';
import { DownloadProgressBar } from './download-progress.tsx';
import { newZipPassword } from './new-zip-password.ts';
import classes from './recipient-dialog.module.css';

/** Number and size of the files of a download. */
export interface KnownFiles {
  readonly files: number;
  readonly sizeBytes: number;
}

interface RecipientFormProps {
  readonly scope: DownloadScope;
  /** Null: still loading. */
  readonly known: KnownFiles | null;
  readonly download: Download;
  readonly onSubmit: (request: DownloadRequest) => void;
}

const maxLength = 200;

/** Returns the number and size of the files: those given, or those that the archive counts. */
export const useKnownFiles = (scope: DownloadScope, known: KnownFiles | null) => {
  const failureText = useFailureText();
  const preview = useQuery({ ...useGallery().preview(scope), enabled: known === null, staleTime: 0 });
  return {
    known: known ?? preview.data ?? null,
    failure: preview.error ? failureText(failureOfQuery(preview.error)) : null,
  };
};

/** Asks what is downloaded, for whom and what for. */
export const RecipientForm = ({ scope, known, download, onSubmit }: RecipientFormProps) => {
  const { t, i18n } = useTranslation('gallery');
  const [content, setContent] = useState<DownloadContent>('originals');
  const [recipient, setRecipient] = useState('');
  const [purpose, setPurpose] = useState('');
  const [isEncrypted, setEncrypted] = useState(true);
  const { progress, stop } = download;
  const isBusy = progress !== null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recipient.trim() === '' || known === null || isBusy) return;
    onSubmit({
      ...scope,
      recipient,
      ...(content !== 'originals' && { content }),
      ...(purpose.trim() !== '' && { purpose }),
      ...(isEncrypted && { password: newZipPassword() }),
    });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <p className={classes.text}>{t('recipientText')}</p>
      <TextInput
        data-autofocus
        required
        label={t('recipient')}
        placeholder={t('recipientExample')}
        maxLength={maxLength}
        autoComplete="off"
        disabled={isBusy}
        value={recipient}
        onChange={(event) => setRecipient(event.currentTarget.value)}
      />
      <TextInput
        label={t('purpose')}
        placeholder={t('purposeExample')}
        maxLength={maxLength}
        autoComplete="off"
        disabled={isBusy}
        value={purpose}
        onChange={(event) => setPurpose(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('content')}
        description={t(`content-${content}-help`)}
        inputWrapperOrder={['label', 'input', 'description']}
        disabled={isBusy}
        data={downloadContent.options.map((value) => ({ value, label: t(`content-${value}`) }))}
        value={content}
        onChange={(event) => setContent(downloadContent.parse(event.currentTarget.value))}
      />
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
          <Button type="submit" disabled={recipient.trim() === ''} loading={known === null}>
            {t('downloadContent', { size: fileSize(known?.sizeBytes ?? 0, i18n.language) })}
          </Button>
        )}
      </div>
    </form>
  );
};
