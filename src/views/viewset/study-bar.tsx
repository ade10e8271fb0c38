import { Button } from '@mantine/core';
import IconLayoutGridAdd from '@tabler/icons-react/dist/esm/icons/IconLayoutGridAdd.mjs';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../contract/studies.ts';
import type { EditActions } from '../edit-wishes.ts';
import classes from './viewset-bar.module.css';

interface StudyBarProps {
  readonly study: Study;
  readonly edit: EditActions | null;
}

/** Which study an image without a mount is of, and the way to a mount for it. */
export const StudyBar = ({ study, edit }: StudyBarProps) => {
  const { t } = useTranslation('viewset');
  const barred = edit?.barred('new-viewset') ?? null;
  return (
    <div className={classes.bar}>
      <h2 className={classes.title}>{study.description || t('images')}</h2>
      <span className={classes.quiet}>{study.studyDate ?? t('undated')}</span>
      {edit && study.viewsets.length === 0 && (
        <Button
          variant="default"
          leftSection={<IconLayoutGridAdd />}
          disabled={barred !== null}
          title={barred ?? undefined}
          onClick={() => edit.ask({ kind: 'new-viewset', study })}
        >
          {t('newMount')}
        </Button>
      )}
    </div>
  );
};
