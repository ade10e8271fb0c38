import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs';
import IconLayoutGridAdd from '@tabler/icons-react/dist/esm/icons/IconLayoutGridAdd.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Study } from '../../../contract/studies.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import type { EditActions } from '../edit-wishes.ts';
import classes from './viewset-bar.module.css';

interface ViewsetBarProps {
  readonly viewset: Viewset;
  /** That it belongs to; null while it is not known. */
  readonly study: Study | null;
  /** All whose viewsets one may change to. */
  readonly studies: readonly Study[];
  readonly pathOf: (study: Study, viewsetId: string) => string;
  readonly edit: EditActions | null;
}

/** Which viewset lies on the table, the way to the others, and what can be done with it. */
export const ViewsetBar = ({ viewset, study, studies, pathOf, edit }: ViewsetBarProps) => {
  const { t } = useTranslation('viewset');
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
                    href={pathOf(one, other.viewSetUuid)}
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
      {date && !viewset.name.includes(date) && <span className={classes.quiet}>{date}</span>}
      <span className={classes.quiet} title={t('filledName', { filled, slots })}>
        {t('filled', { filled, slots })}
      </span>
      {edit && <ActionsMenu viewset={viewset} study={study} edit={edit} />}
    </div>
  );
};

const ActionsMenu = ({ viewset, study, edit }: { viewset: Viewset; study: Study | null; edit: EditActions }) => {
  const { t } = useTranslation('viewset');
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
          disabled={edit.barred('edit-viewset') !== null}
          title={edit.barred('edit-viewset') ?? undefined}
          onClick={() => edit.ask({ kind: 'edit-viewset', viewsetId: viewset.viewSetUuid })}
        >
          {t('rename')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLayoutGridAdd />}
          disabled={edit.barred('new-viewset') !== null}
          title={edit.barred('new-viewset') ?? undefined}
          onClick={() => edit.ask({ kind: 'new-viewset', study })}
        >
          {t('newMount')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash />}
          disabled={edit.barred('delete-viewset') !== null || !listed}
          title={edit.barred('delete-viewset') ?? undefined}
          onClick={() => listed && edit.ask({ kind: 'delete-viewset', viewset: listed })}
        >
          {t('deleteMount')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
