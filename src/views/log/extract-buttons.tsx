import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useGround } from '../ground.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { saveFile } from '../parts/save-file.ts';
import { failureOfQuery } from '../reading.tsx';
import classes from './log.module.css';

interface ExtractButtonsProps {
  readonly patientId: string;
  readonly from: string | null;
  readonly to: string | null;
}

const formats = ['pdf', 'csv'] as const;

/** The extract for the chosen patient and period, as a file of either kind. */
export const ExtractButtons = ({ patientId, from, to }: ExtractButtonsProps) => {
  const { t, i18n } = useTranslation('log');
  const failureText = useFailureText();
  const { accessLog } = useGround();
  const making = useMutation({
    mutationFn: async (format: (typeof formats)[number]) => {
      const period = { ...(from !== null && { from }), ...(to !== null && { to }) };
      const language = languageOf(i18n.language) ?? defaultLanguage;
      const asked = { patientId, format, language, ...period };
      saveFile(await (await accessLog()).extract(asked, new AbortController().signal));
    },
  });
  return (
    <div className={classes.extract}>
      <span className={classes.quiet}>{t('extract')}</span>
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
      <span className={classes.spoken} role="status">
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
