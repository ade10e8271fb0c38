import { Button, Popover, Tabs } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { oneOf, useUrlState } from '../app/url-state.ts';
import { PolicyDrawer } from '../forms/policy-drawer.tsx';
import { useRoleName } from '../language/role-name.ts';
import { DisableableButton } from '../ui/disableable-button.tsx';
import { type Draft, RightsForm } from './rights-form.tsx';
import classes from './roles.module.css';
import type { Viewer } from './roles.ts';
import { SeeAs } from './see-as.tsx';

interface NamesProps {
  readonly roleId: string;
}

/** Names of users and clinics, as far as the reply contains them. */
const Names = ({ roleId }: NamesProps) => {
  const { t } = useTranslation('role-admin');
  const administration = useAdministration();
  const holders = useQuery(administration.usersInRole(roleId, false)).data;
  const clinics = useQuery(administration.customersByRole(roleId, false)).data;
  const list = (found: typeof holders) =>
    found && (
      <ul>
        {found.data.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {found.count > found.data.length && (
          <li className={classes.dimmed}>{t('andMore', { count: found.count - found.data.length })}</li>
        )}
      </ul>
    );
  return (
    <div className={classes.names} aria-busy={!holders || !clinics}>
      {list(holders)}
      {list(clinics)}
    </div>
  );
};

/** Shows the number of users and clinics with a role, and the users on request. */
const RoleHolders = ({ roleId }: NamesProps) => {
  const { t } = useTranslation('role-admin');
  const administration = useAdministration();
  const users = useQuery(administration.usersInRole(roleId, true)).data?.count;
  const clinics = useQuery(administration.customersByRole(roleId, true)).data?.count;
  const statusText = () => {
    if (users === undefined || clinics === undefined) return ' ';
    if (users === 0) return t('noUsers');
    return clinics === 0
      ? t('holders', { count: users })
      : `${t('holders', { count: users })} ${t('inClinics', { count: clinics })}`;
  };
  return (
    <div className={classes.holders}>
      <span>{statusText()}</span>
      {users !== undefined && users > 0 && (
        <Popover position="bottom-start" withinPortal trapFocus returnFocus>
          <Popover.Target>
            <Button variant="subtle" size="compact-sm">
              {t('who')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown tabIndex={-1}>
            <Names roleId={roleId} />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
};

const shownSchema = { show: oneOf(['rights', 'as']) };

interface RoleDetailProps {
  readonly role: Role;
  readonly viewer: Viewer;
  readonly draft: Draft | null;
  /** Claims of the draft, else of the role. */
  readonly claims: readonly Claim[];
  readonly dirty: boolean;
  readonly onClaims: (claims: readonly Claim[]) => void;
  readonly onSettled: (saved: Role | null) => void;
  readonly onRename: () => void;
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}

/** Shows one role: its users, its claims, and a preview of the product with them. */
export const RoleDetail = (props: RoleDetailProps) => {
  const { role, viewer, draft, claims, dirty, onClaims, onSettled, onRename, onCopy, onDelete } = props;
  const { t } = useTranslation('role-admin');
  const roleName = useRoleName();
  const [isPolicyOpen, setPolicyOpen] = useState(false);
  const [{ show }, changeUrl] = useUrlState(shownSchema);
  return (
    <section className={classes.detail} aria-label={roleName(role.name)}>
      <div className={classes.facts}>
        <h2 className={classes.name}>{roleName(role.name)}</h2>
        <RoleHolders roleId={role.id} />
        <div className={classes.actions}>
          <DisableableButton
            variant="default"
            reason={viewer.disabledReason('rename', role)}
            leftSection={<IconPencil aria-hidden="true" />}
            onClick={onRename}
          >
            {t('rename')}
          </DisableableButton>
          <DisableableButton
            variant="default"
            reason={viewer.disabledReason('create')}
            leftSection={<IconCopy aria-hidden="true" />}
            onClick={onCopy}
          >
            {t('copy')}
          </DisableableButton>
          <DisableableButton
            variant="default"
            reason={viewer.disabledReason('delete', role)}
            leftSection={<IconTrash aria-hidden="true" />}
            onClick={onDelete}
          >
            {t('delete')}
          </DisableableButton>
          <DisableableButton
            variant="default"
            reason={viewer.disabledReason('policy', role)}
            leftSection={<IconLock aria-hidden="true" />}
            onClick={() => setPolicyOpen(true)}
          >
            {t('policy')}
          </DisableableButton>
        </div>
      </div>
      {isPolicyOpen && (
        <PolicyDrawer
          owner={{ kind: 'role', id: role.id, name: roleName(role.name) }}
          onClose={() => setPolicyOpen(false)}
        />
      )}
      <Tabs
        value={show}
        onChange={(next) => changeUrl({ show: shownSchema.show.parse(next) }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="rights" leftSection={<IconListCheck aria-hidden="true" />}>
            {t('rights')}
          </Tabs.Tab>
          <Tabs.Tab value="as" leftSection={<IconEye aria-hidden="true" />}>
            {t('seeAs')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rights" className={classes.panel}>
          <RightsForm
            role={role}
            viewer={viewer}
            draft={draft}
            claims={claims}
            onClaims={onClaims}
            onSettled={onSettled}
          />
        </Tabs.Panel>
        <Tabs.Panel value="as" className={classes.panel}>
          <SeeAs claims={claims} unsaved={dirty} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
};
