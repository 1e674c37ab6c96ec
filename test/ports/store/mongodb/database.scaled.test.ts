import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type BulkWriteResult
} from 'mongodb'
import t from 'tap'
import { ApiError } from '../../../../errors.ts'
import { translateError } from '../../../../ports/store/mongodb/database.ts'

const result = { getWriteConcernError: () => undefined } as BulkWriteResult
const isTranslated = (error: unknown): boolean => {
  const thrown = translateError(error)
  return thrown instanceof ApiError && thrown.code === 'unavailable' && thrown.cause === error
}

t.test('errors that mean that the server cannot answer now are translated to unavailable', async (t) => {
  for (const [what, error] of Object.entries({
    'a lost connection': new MongoNetworkError('connection 3 to 127.0.0.1:27017 closed'),
    'no server': new MongoServerSelectionError('connect ECONNREFUSED', {} as never),
    'a failover': new MongoServerError({ message: 'not primary', code: 10107 }),
    'a bulk write that lost its connection': new MongoBulkWriteError(
      new MongoNetworkError('connection <monitor> to 127.0.0.1:27017 closed'),
      result
    ),
    'a bulk write in a failover': new MongoBulkWriteError(
      new MongoServerError({ message: 'not primary', code: 10107 }),
      result
    )
  })) {
    t.ok(isTranslated(error), what)
  }
})

t.test('errors that indicate a bug are not translated', async (t) => {
  for (const [what, error] of Object.entries({
    'an unknown operator': new MongoServerError({ message: 'unknown operator', code: 2 }),
    'a bulk write with an unknown operator': new MongoBulkWriteError(
      new MongoServerError({ message: 'unknown operator', code: 2 }),
      result
    ),
    'a bulk write that was partly rejected': new MongoBulkWriteError(
      { message: 'E121', code: 121, writeErrors: [{ code: 121 }] as never },
      result
    ),
    'a wrong argument': new MongoInvalidArgumentError('no such option'),
    'another error': new TypeError('x is not a function')
  })) {
    t.equal(translateError(error), error, what)
  }
})
