import { describe, expect, it } from 'vitest';
import {
  CommandProblem,
  type CommandSet,
  readCommandSet,
  writeCommandSet,
} from '../../../server/dimse/message/command-set.ts';
import type { AssociateAccept, AssociateRequest } from '../../../server/dimse/pdu/associate.ts';
import {
  abortPdu,
  PduProblem,
  readPduHeader,
  readRejection,
  rejections,
  rejectPdu,
} from '../../../server/dimse/pdu/pdu.ts';
import { readAssociateAccept, readAssociateRequest } from '../../../server/dimse/pdu/read-associate.ts';
import { associateAcceptPdu, associateRequestPdu } from '../../../server/dimse/pdu/write-associate.ts';
import { negotiate, smallestPduBytes } from '../../../server/dimse/provider/negotiate.ts';
import { isStorageClass, storageSyntaxes } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { randomOf } from '../../random-of.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

const request: AssociateRequest = {
  protocolVersion: 1,
  calledAeTitle: 'ARCHIVE',
  callingAeTitle: 'PAN 1',
  applicationContext: '1.2.840.10008.3.1.1.1',
  contexts: [
    { id: 1, abstractSyntax: '1.2.840.10008.1.1', transferSyntaxes: ['1.2.840.10008.1.2'] },
    {
      id: 255,
      abstractSyntax: '1.2.840.10008.5.1.4.1.1.7',
      transferSyntaxes: ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'],
    },
  ],
  maxPduBytes: 131_072,
  implementationClassUid: '1.2.3',
  implementationVersionName: 'TEST_1',
  roles: [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.7', isUser: false, isProvider: true }],
};

const bodyOf = (pdu: Buffer): Buffer => pdu.subarray(6);
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('an A-ASSOCIATE PDU', () => {
  it('is read as it was written', () => {
    expect(readAssociateRequest(bodyOf(associateRequestPdu(request)))).toEqual(request);
    const accept: AssociateAccept = {
      ...request,
      contexts: [
        { id: 1, result: 0, transferSyntax: '1.2.840.10008.1.2' },
        { id: 255, result: 4, transferSyntax: '' },
      ],
    };
    expect(readAssociateAccept(bodyOf(associateAcceptPdu(accept)))).toEqual(accept);
  });

  it('is written as PS3.8 9.3.2 says', () => {
    const pdu = associateRequestPdu({ ...request, contexts: request.contexts.slice(0, 1), roles: [] });
    const title = (text: string) => Buffer.from(text.padEnd(16), 'latin1').toString('hex');
    expect(pdu.toString('hex')).toBe(
      hex(`
        01 00 000000ae 0001 0000 ${title('ARCHIVE')} ${title('PAN 1')} ${'00'.repeat(32)}
        10 00 0015 ${Buffer.from('1.2.840.10008.3.1.1.1').toString('hex')}
        20 00 002e 01 00 00 00
          30 00 0011 ${Buffer.from('1.2.840.10008.1.1').toString('hex')}
          40 00 0011 ${Buffer.from('1.2.840.10008.1.2').toString('hex')}
        50 00 001b
          51 00 0004 00020000
          52 00 0005 ${Buffer.from('1.2.3').toString('hex')}
          55 00 0006 ${Buffer.from('TEST_1').toString('hex')}
      `).toString('hex'),
    );
  });

  it('may hold items that are not known, padded UIDs and titles that end in zeros', () => {
    const plain = bodyOf(associateRequestPdu({ ...request, contexts: request.contexts.slice(0, 1), roles: [] }));
    const unknown = hex('66 00 0003 010203');
    expect(readAssociateRequest(Buffer.concat([plain, unknown])).contexts.length).toBe(1);
    const zeros = Buffer.from(plain);
    zeros.fill(0, 4 + 7, 20);
    expect(readAssociateRequest(zeros).calledAeTitle).toBe('ARCHIVE');
    const odd = Buffer.concat([
      plain.subarray(0, 68),
      hex('10 00 0016'),
      Buffer.from('1.2.840.10008.3.1.1.1\0'),
      plain.subarray(68 + 25),
    ]);
    expect(readAssociateRequest(odd).applicationContext).toBe(request.applicationContext);
  });

  const changed = (change: Partial<AssociateRequest>) => bodyOf(associateRequestPdu({ ...request, ...change }));
  it.each([
    ['an even context id', changed({ contexts: [{ ...request.contexts[0]!, id: 2 }] })],
    ['two contexts of one id', changed({ contexts: [request.contexts[0]!, request.contexts[0]!] })],
    ['no context', changed({ contexts: [] })],
    ['a context without transfer syntax', changed({ contexts: [{ ...request.contexts[0]!, transferSyntaxes: [] }] })],
    ['a malformed UID', changed({ contexts: [{ ...request.contexts[0]!, abstractSyntax: '1.2.x' }] })],
    ['a UID of 65 characters', changed({ implementationClassUid: `1.${'2'.repeat(63)}` })],
    ['an empty title', changed({ callingAeTitle: ' ' })],
    ['a title with a backslash', changed({ callingAeTitle: 'A\\B' })],
    ['an item that is longer than its PDU', Buffer.concat([changed({}), hex('66 00 00ff 00')])],
    ['half an item header', Buffer.concat([changed({}), hex('66 00')])],
    ['two application contexts', Buffer.concat([changed({}), hex('10 00 0003 312e32')])],
    ['no user information', changed({}).subarray(0, changed({}).indexOf(hex('50 00 00')))],
    ['5,000 items', Buffer.concat([changed({}), Buffer.alloc(5_000 * 4, hex('66000000'))])],
  ])('with %s is invalid', (_, body) => {
    expect(thrownBy(() => readAssociateRequest(body))).toMatchObject({ name: 'PduProblem', reason: 6 });
  });
});

describe('the other PDUs', () => {
  it('are read as they were written', () => {
    for (const rejection of Object.values(rejections))
      expect(readRejection(bodyOf(rejectPdu(rejection)))).toEqual(rejection);
    expect(abortPdu({ source: 2, reason: 6 }).toString('hex')).toBe('07000000000400000206');
    expect(rejectPdu(rejections.calledAeTitle).toString('hex')).toBe('03000000000400010107');
  });

  it.each([
    ['00 00 00000004', 1],
    ['08 00 00000004', 1],
    ['05 00 00000005', 6],
    ['05 00 00000003', 6],
    ['04 00 00020001', 6],
    ['01 00 00100001', 6],
    ['04 00 fffffff0', 6],
  ])('are invalid with the header %s', (header, reason) => {
    expect(thrownBy(() => readPduHeader(hex(header), 0x20000))).toEqual(
      expect.objectContaining({ name: 'PduProblem', reason }),
    );
    expect(readPduHeader(hex('04 00 00020000'), 0x20000)).toEqual({ type: 4, length: 0x20000 });
  });
});

describe('negotiation', () => {
  it('answers with roles only for supported classes, and the requestor as provider only of those that are sent to it', () => {
    const syntaxesOf = (uid: string) => (uid === '1.2.840.10008.1.1' ? ['1.2.840.10008.1.2'] : null);
    const accept = negotiate(request, { syntaxesOf }, 4_096);
    expect(accept).toMatchObject({
      contexts: [
        { id: 1, result: 0, transferSyntax: '1.2.840.10008.1.2' },
        { id: 255, result: 3, transferSyntax: '1.2.840.10008.1.2' },
      ],
      maxPduBytes: 4_096,
      roles: [],
    });
    expect(negotiate(request, { syntaxesOf: storageSyntaxes }, 4_096)).toMatchObject({
      roles: [],
    });
    const sending = negotiate(request, { syntaxesOf, syntaxesAsUser: storageSyntaxes }, 4_096);
    expect(sending).toMatchObject({
      roles: [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.7', isUser: false, isProvider: true }],
    });
  });

  it('rejects other versions, application contexts, and PDUs too small for any data', () => {
    const answer = (change: Partial<AssociateRequest>) =>
      negotiate({ ...request, ...change }, { syntaxesOf: storageSyntaxes }, 4_096);
    expect(answer({ protocolVersion: 2 })).toBe(rejections.protocolVersion);
    expect(answer({ protocolVersion: 3 })).toHaveProperty('contexts');
    expect(answer({ applicationContext: '1.2.3' })).toBe(rejections.applicationContext);
    expect(answer({ maxPduBytes: smallestPduBytes - 1 })).toBe(rejections.noReason);
    expect(answer({ maxPduBytes: 0 })).toHaveProperty('contexts');
  });

  it('knows what is a storage class', () => {
    const storage = ['1.1.1.3', '1.1.7', '1.1.88.22', '1.1.131', '1.1.11.1', '1.1.104.1', '38.1'];
    expect(storage.filter((uid) => !isStorageClass(`1.2.840.10008.5.1.4.${uid}`))).toEqual([]);
    const others = ['1.2.1.1', '1.2.2.1', '31', '38.2', '1.1', '1.2.840.10008.1.20.1'];
    expect(others.filter((uid) => isStorageClass(`1.2.840.10008.5.1.4.${uid}`))).toEqual([]);
    expect(isStorageClass('1.2.840.10008.1.20.1')).toBe(false);
  });
});

describe('a command set', () => {
  const command: CommandSet = {
    affectedSopClassUid: '1.2.840.10008.5.1.4.1.1.7',
    commandField: 1,
    messageId: 65_535,
    priority: 2,
    dataSetType: 1,
    status: 0xa900,
    offendingElements: [0x00080016, 0x7fe00010],
    errorComment: 'odd',
    affectedSopInstanceUid: '1.2.3',
    moveOriginatorAeTitle: 'PAN 1',
    remainingSuboperations: 0,
  };

  it('is read as it was written', () => {
    expect(readCommandSet(writeCommandSet(command))).toEqual(command);
  });

  it('is written as PS3.7 6.3.1 says', () => {
    expect(
      writeCommandSet({ affectedSopClassUid: '1.2.3', commandField: 0x30, messageId: 7, dataSetType: 0x0101 }).toString(
        'hex',
      ),
    ).toBe(
      hex(`
        0000 0000 04000000 2c000000
        0000 0200 06000000 312e322e3300
        0000 0001 02000000 3000
        0000 1001 02000000 0700
        0000 0008 02000000 0101
      `).toString('hex'),
    );
  });

  it('may lack its group length, and hold elements that are not known', () => {
    expect(readCommandSet(hex('0000 0001 02000000 3000  0000 3151 02000000 ffff'))).toEqual({ commandField: 0x30 });
  });

  it.each([
    ['another group', '0800 0001 02000000 3000'],
    ['elements out of order', '0000 1001 02000000 0700 0000 0001 02000000 3000'],
    ['an element twice', '0000 0001 02000000 3000 0000 0001 02000000 3000'],
    ['an element that is too long', '0000 0001 04000000 3000'],
    ['half a header', '0000 0001 02000000 3000 0000'],
    ['a wrong group length', '0000 0000 04000000 09000000 0000 0001 02000000 3000'],
    ['a number of four bytes', '0000 0001 04000000 30000000'],
    ['no command field', '0000 1001 02000000 0700'],
    ['a UID with letters', '0000 0200 02000000 6162 0000 0001 02000000 3000'],
    ['nothing', ''],
  ])('with %s is malformed', (_, bytes) => {
    expect(thrownBy(() => readCommandSet(hex(bytes)))).toBeInstanceOf(CommandProblem);
  });
});

it('random bytes are read or refused, and nothing else is thrown', () => {
  const random = randomOf(20_261_128);
  const samples = [
    bodyOf(associateRequestPdu(request)),
    writeCommandSet({ commandField: 1, messageId: 1, dataSetType: 1 }),
  ];
  for (let run = 0; run < 3_000; run++) {
    const bytes = Buffer.from(samples[run % 2]!);
    for (let count = 1 + random(4); count > 0; count--) bytes[random(bytes.length)] = random(256);
    const cut = bytes.subarray(0, random(8) === 0 ? random(bytes.length) : bytes.length);
    const thrown = thrownBy(() => (run % 2 === 0 ? readAssociateRequest(cut) : readCommandSet(cut)));
    if (thrown instanceof Error) expect([PduProblem, CommandProblem]).toContain(thrown.constructor);
  }
});
