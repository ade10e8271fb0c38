import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { saveFile } from '../ui/save-file.ts';
import classes from './log.module.css';

interface ExtractButtonsProps {
  readonly patientId: string;
  readonly from: string | null;
  readonly to: string | null;
}

const formats = ['pdf', 'csv'] as const;

/** Downloads the log extract of the chosen patient and period in one of two file formats. */
export const ExtractButtons = ({ patientId, from, to }: ExtractButtonsProps) => {
  const { t, i18n } = useTranslation('log');
  const failureText = useFailureText();
  const { accessLog } = useAppContext();
  const making = useMutation({
    mutationFn: async (format: (typeof formats)[number]) => {
      const period = { ...(from !== null && { from }), ...(to !== null && { to }) };
      const language = languageOf(i18n.language) ?? defaultLanguage;
      const request = { patientId, format, language, ...period };
      saveFile(await (await accessLog()).extract(request, new AbortController().signal));
    },
  });
  return (
    <div className={classes.extract}>
      <span className={classes.dimmed}>{t('extract')}</span>
      {formats.map((format) => (
        <Button
          key={format}
          variant="default"
          leftSection={<IconDownload aria-hidden="true" />}
          aria-label={t('extractAs', { format: format.toUpperCase() })}
          loading={making.isPending && making.variables === format}
          disabled={making.isPending && making.variables !== format}
          onClick={() => making.mutate(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      <span className={classes.visuallyHidden} role="status">
        {making.isPending && t('extractMaking')}
      </span>
      {making.isError && (
        <IconAlert>
          {t('extractFailed')}. {failureText(failureOfQuery(making.error))}
        </IconAlert>
      )}
    </div>
  );
};
