import type { Transaction } from 'kysely';
import type { DemoClinic } from '../../demo/clinic-model.ts';
import type { Schema } from '../db/schema.ts';
import { insertPatient } from '../db/stores/patients.ts';
import { allRoles, ensureBuiltInRoles } from '../db/stores/role-store.ts';
import { seedAccounts, seedCustomers } from '../db/stores/seed-rows.ts';

const customerRows = (clinic: DemoClinic) =>
  clinic.customers.map((customer) => ({
    id: customer.id,
    name: customer.organisationName,
    organisation_number: customer.organisationNumber,
    customer_number: customer.customerNumber,
    address: customer.address,
    city: customer.city,
    zipcode: customer.zipcode,
    telephone: customer.telephone,
    description: customer.description,
    license: customer.license,
    proxy_use: customer.useProxy,
  }));

/** Returns the accounts with the roles of the installation, whose ids are its own. */
const accountRows = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  hashOf: (password: string) => Promise<string>,
) => {
  await ensureBuiltInRoles(transaction);
  const roleIds = new Map((await allRoles(transaction, 'sv')).map((role) => [role.name, role.id]));
  const passwords = [...new Set(clinic.users.map((user) => user.password))];
  const hashes = new Map(await Promise.all(passwords.map(async (text) => [text, await hashOf(text)] as const)));
  return clinic.users.map((user) => ({
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    personal_number: user.personalNumber,
    azure_username: user.azureUsername,
    telephone: user.telephone,
    hired_since: user.hiredSince,
    is_active: user.isActive,
    customer_id: user.customerId,
    role_id: roleIds.get(user.roleName) ?? user.roleId,
    password_hash: hashes.get(user.password) ?? '',
    security_stamp: user.id,
  }));
};

/** Inserts clinics, users and patients of the demo, without images. Existing rows are not changed. */
export const seedUsers = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  hashOf: (password: string) => Promise<string>,
): Promise<void> => {
  await seedCustomers(transaction, customerRows(clinic));
  await seedAccounts(transaction, await accountRows(transaction, clinic, hashOf));
  for (const { studies: _, patientId: __, ...patient } of clinic.patients) await insertPatient(transaction, patient);
};
