import fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../contract/route.ts';
import { bindOpen } from '../../server/route-binding.ts';

const names = route({
  method: 'GET',
  path: '/names',
  access: 'anyone',
  reply: z.object({ people: z.array(z.object({ name: z.string() })) }),
});

const statusOf = async (people: readonly object[], checkReplies = true) => {
  const server = fastify();
  bindOpen(server, { checkReplies }, names, async () => ({ people }) as z.infer<typeof names.reply>);
  const { statusCode } = await server.inject('/names');
  await server.close();
  return statusCode;
};

it('lets no test pass in which a reply has fields beyond the contract, at any depth', async () => {
  expect(await statusOf([{ name: 'Åsa' }])).toBe(200);
  expect(await statusOf([{ name: 'Åsa' }, { name: 'Nils', personalNumber: '7' }])).toBe(500);
  expect(await statusOf([{ name: 'Åsa', personalNumber: undefined }])).toBe(200);
});

it('lets no test pass in which a reply lacks a field of the contract', async () => {
  expect(await statusOf([{}])).toBe(500);
  expect(await statusOf([{}], false)).toBe(200);
});
