import { Button, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './row.module.css';
import type { Reason } from './shown-import.ts';

interface ConfirmImportProps {
  readonly studies: number;
  /** Why it cannot be imported yet; none when it can. */
  readonly reasons: readonly Reason[];
  /** A choice is on its way to the archive. */
  readonly deciding: boolean;
  readonly canConfirm: boolean;
  /** Leads to the first thing that is missing. */
  readonly onMend: () => void;
  readonly onConfirm: () => void;
}

/** One button for the whole import; beside it, in words, what it waits for. */
export const ConfirmImport = ({ studies, reasons, deciding, canConfirm, onMend, onConfirm }: ConfirmImportProps) => {
  const { t } = useTranslation('import');
  const words = [
    ...reasons.map(({ why, studies: held }) => t(`obstacle-${why}`, { count: held })),
    ...(reasons.length === 0 && deciding ? [t('deciding')] : []),
  ];
  return (
    <>
      <Button disabled={!canConfirm} title={words.join('. ') || undefined} onClick={onConfirm}>
        {t('importStudies', { count: studies })}
      </Button>
      {words.length > 0 && (
        <div role="status">
          <ul className={classes.reasons}>
            {words.map((text) => (
              <li key={text}>{reasons.length > 0 ? <UnstyledButton onClick={onMend}>{text}</UnstyledButton> : text}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
