import { Button, FileButton } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  maxTemplateFileBytes,
  templateFileProblems,
  templateNotTakenParts,
  templatePartsNotExpressed,
} from '../../../contract/template-objects.ts';
import type { Template } from '../../../contract/viewsets.ts';
import { failureOfQuery, rejectedFields, useAppQueries } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { saveFile } from '../ui/save-file.ts';
import classes from './template-file.module.css';

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/** A name that every file system takes. */
const fileNameOf = (name: string): string => `${name.replace(/[^\p{L}\p{N} _-]/gu, '_').trim() || 'template'}.dcm`;

/** Returns why a file cannot be imported as a template. */
const useProblemText = () => {
  const { t } = useTranslation('edit');
  const failureText = useRecordFailureText();
  return (error: unknown): string => {
    const item = rejectedFields(error).find(({ fieldKey }) => fieldKey === 'file');
    const problem = templateFileProblems.find((known) => known === item?.vars?.problem);
    return problem ? t(`templateFile-${problem}`) : failureText(failureOfQuery(error));
  };
};

interface TemplateFileProps {
  readonly customerId: string;
  readonly template: Template | null;
  /** Why a template cannot be imported; null when it can. */
  readonly importDisabledReason: string | null;
  readonly onImported: (template: Template) => void;
}

/** Exports the chosen template as a Hanging Protocol, and imports one. */
export const TemplateFile = ({ customerId, template, importDisabledReason, onImported }: TemplateFileProps) => {
  const { t } = useTranslation('edit');
  const problemText = useProblemText();
  const queries = useAppQueries();
  const [busy, setBusy] = useState<'import' | 'export' | null>(null);
  const resetFile = useRef<() => void>(null);
  const [message, setMessage] = useState<ReactNode>(null);
  const attempt = async (what: 'import' | 'export', work: () => Promise<ReactNode>) => {
    setBusy(what);
    setMessage(null);
    try {
      setMessage(await work());
    } catch (error) {
      setMessage(<IconAlert>{problemText(error)}</IconAlert>);
    }
    setBusy(null);
    // The same file can be chosen again.
    resetFile.current?.();
  };
  const list = (title: string, parts: readonly string[]) =>
    parts.length > 0 && <p className={classes.message}>{`${title} ${parts.join(', ')}.`}</p>;
  const exportTemplate = ({ uuid, name, viewSetItems }: Template) =>
    attempt('export', async () => {
      saveFile({ name: fileNameOf(name), content: await queries.templateFile(uuid) });
      const parts = templatePartsNotExpressed(viewSetItems);
      return list(
        t('templateNotExpressed'),
        parts.map((part) => t(`templatePart-${part}`)),
      );
    });
  const importTemplate = (file: File) =>
    attempt('import', async () => {
      if (file.size > maxTemplateFileBytes) return <IconAlert>{t('templateFile-other-object')}</IconAlert>;
      const imported = await queries.importTemplate({ customerId, file: await base64Of(file) });
      onImported(imported.template);
      const parts = templateNotTakenParts.filter((part) => imported.notTaken.includes(part));
      return (
        <>
          <p className={classes.message}>{t('templateImported', { name: imported.template.name })}</p>
          {list(
            t('templateNotTaken'),
            parts.map((part) => t(`templatePart-${part}`)),
          )}
        </>
      );
    });
  return (
    <div className={classes.bar}>
      <FileButton
        resetRef={resetFile}
        accept=".dcm,application/dicom"
        onChange={(file) => file && void importTemplate(file)}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="xs"
            leftSection={<IconUpload aria-hidden="true" size={16} />}
            loading={busy === 'import'}
            disabled={importDisabledReason !== null || busy === 'export'}
            title={importDisabledReason ?? undefined}
          >
            {t('templateImport')}
          </Button>
        )}
      </FileButton>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload aria-hidden="true" size={16} />}
        loading={busy === 'export'}
        disabled={template === null || busy === 'import'}
        onClick={() => template && void exportTemplate(template)}
      >
        {t('templateExport')}
      </Button>
      <div aria-live="assertive" className={classes.messages}>
        {message}
      </div>
    </div>
  );
};
