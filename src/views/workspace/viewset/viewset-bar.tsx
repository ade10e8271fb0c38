import { ActionIcon, Button, Menu, UnstyledButton } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs';
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs';
import IconLayoutGridAdd from '@tabler/icons-react/dist/esm/icons/IconLayoutGridAdd.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import type { Study } from '../../../../contract/studies.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { NoteSign } from '../notes/note-sign.tsx';
import { viewsetPath } from '../patient/patient-location.ts';
import { parseHistory } from '../tooth-history/history-url.ts';
import { useWorkspace } from '../workspace-context.ts';
import type { TwoRows } from './two-rows.ts';
import classes from './viewset-bar.module.css';

interface ViewsetBarProps {
  readonly viewset: Viewset;
  /** Study of the viewset; null while loading. */
  readonly study: Study | null;
  /** Studies whose viewsets can be opened. */
  readonly studies: readonly Study[];
  /** Null while the mount is not shown. */
  readonly rows: TwoRows | null;
}

/** Name of the open viewset, a menu of the others, and its actions. */
export const ViewsetBar = ({ viewset, study, studies, rows }: ViewsetBarProps) => {
  const { t } = useTranslation('viewset');
  const { patientId } = useWorkspace();
  const [params] = useSearchParams();
  const slots = viewset.viewSetItems.length;
  const filled = viewset.viewSetItems.filter((item) => item.activeImage).length;
  const date = study?.studyDate ?? null;
  return (
    <div className={classes.bar}>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <UnstyledButton className={classes.name} aria-label={t('chooseMount', { name: viewset.name })}>
            <h2>{viewset.name}</h2>
            <IconChevronDown />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.choices} aria-label={t('mounts')}>
          {studies
            .filter((one) => one.viewsets.length > 0)
            .map((one) => (
              <Fragment key={one.uid}>
                <Menu.Label>{one.studyDate ?? t('undated')}</Menu.Label>
                {one.viewsets.map((other) => (
                  <Menu.Item
                    key={other.viewSetUuid}
                    component={Link}
                    href={viewsetPath(patientId, one, other.viewSetUuid, parseHistory(params))}
                    aria-current={other.viewSetUuid === viewset.viewSetUuid || undefined}
                    rightSection={
                      <span className={classes.count}>
                        {t('filled', { filled: other.filledSlots, slots: other.slots })}
                      </span>
                    }
                  >
                    {other.name}
                  </Menu.Item>
                ))}
              </Fragment>
            ))}
        </Menu.Dropdown>
      </Menu>
      {date && !viewset.name.includes(date) && <span className={classes.dimmed}>{date}</span>}
      <span className={classes.dimmed} title={t('filledName', { filled, slots })}>
        {t('filled', { filled, slots })}
      </span>
      {rows?.toggle && (
        <ToolButton label={t('twoRows')} active={rows.viewset !== null} onClick={rows.toggle}>
          <IconLayoutGrid />
        </ToolButton>
      )}
      <NoteSign note={viewset.note} />
      <ActionsMenu viewset={viewset} study={study} />
    </div>
  );
};

const ActionsMenu = ({ viewset, study }: { viewset: Viewset; study: Study | null }) => {
  const { t } = useTranslation(['viewset', 'edit']);
  const { edit } = useWorkspace();
  const listed = study?.viewsets.find(({ viewSetUuid }) => viewSetUuid === viewset.viewSetUuid);
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" className={classes.more} aria-label={t('actions')}>
          <IconDotsVertical />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil />}
          disabled={edit.disabledReason('edit-viewset') !== null}
          title={edit.disabledReason('edit-viewset') ?? undefined}
          onClick={() => edit.request({ kind: 'edit-viewset', viewsetId: viewset.viewSetUuid })}
        >
          {t('rename')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLayoutGridAdd />}
          disabled={edit.disabledReason('new-viewset') !== null}
          title={edit.disabledReason('new-viewset') ?? undefined}
          onClick={() => edit.request({ kind: 'new-viewset', study })}
        >
          {t('newMount')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSend />}
          disabled={edit.disabledReason('download-viewset') !== null}
          title={edit.disabledReason('download-viewset') ?? undefined}
          onClick={() => edit.request({ kind: 'download-viewset', viewsetId: viewset.viewSetUuid })}
        >
          {t('edit:download-viewset')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash />}
          disabled={edit.disabledReason('delete-viewset') !== null || !listed}
          title={edit.disabledReason('delete-viewset') ?? undefined}
          onClick={() => listed && edit.request({ kind: 'delete-viewset', viewset: listed })}
        >
          {t('deleteMount')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Study of an unmounted image, with a button to create a mount. */
export const StudyBar = ({ study }: { study: Study }) => {
  const { t } = useTranslation('viewset');
  const { edit } = useWorkspace();
  const disabledReason = edit.disabledReason('new-viewset');
  return (
    <div className={classes.bar}>
      <h2 className={classes.title}>{study.description || t('images')}</h2>
      <span className={classes.dimmed}>{study.studyDate ?? t('undated')}</span>
      {study.viewsets.length === 0 && (
        <Button
          variant="default"
          className={classes.create}
          leftSection={<IconLayoutGridAdd />}
          disabled={disabledReason !== null}
          title={disabledReason ?? t('newMount')}
          onClick={() => edit.request({ kind: 'new-viewset', study })}
        >
          <span className={classes.createText}>{t('newMount')}</span>
        </Button>
      )}
    </div>
  );
};
