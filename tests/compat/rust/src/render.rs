//! Values as text, read through the client's typed getters.

use fluss::error::Result;
use fluss::metadata::{DataType, Schema};
use fluss::row::{DataGetters, InternalArray, InternalMap, InternalRow};

/// The value at a position of a row, an array or a map's side.
pub fn value<G: DataGetters + ?Sized>(from: &G, at: usize, data_type: &DataType) -> Result<String> {
    if from.is_null_at(at)? {
        return Ok("null".to_string());
    }
    Ok(match data_type {
        DataType::Boolean(_) => from.get_boolean(at)?.to_string(),
        DataType::TinyInt(_) => from.get_byte(at)?.to_string(),
        DataType::SmallInt(_) => from.get_short(at)?.to_string(),
        DataType::Int(_) => from.get_int(at)?.to_string(),
        DataType::BigInt(_) => from.get_long(at)?.to_string(),
        DataType::Float(_) => format!("{:?}", from.get_float(at)?),
        DataType::Double(_) => format!("{:?}", from.get_double(at)?),
        DataType::Char(t) => text(from.get_char(at, t.length() as usize)?),
        DataType::String(_) => text(from.get_string(at)?),
        DataType::Bytes(_) => hex(from.get_bytes(at)?),
        DataType::Binary(t) => hex(from.get_binary(at, t.length())?),
        DataType::Decimal(t) => {
            let decimal = from.get_decimal(at, t.precision() as usize, t.scale() as usize)?;
            decimal.to_big_decimal().to_plain_string()
        }
        DataType::Date(_) => format!("day {}", from.get_date(at)?.get_inner()),
        DataType::Time(_) => format!("ms {}", from.get_time(at)?.get_inner()),
        DataType::Timestamp(t) => {
            let moment = from.get_timestamp_ntz(at, t.precision())?;
            format!("ms {} ns {}", moment.get_millisecond(), moment.get_nano_of_millisecond())
        }
        DataType::TimestampLTz(t) => {
            let moment = from.get_timestamp_ltz(at, t.precision())?;
            format!("ms {} ns {}", moment.get_epoch_millisecond(), moment.get_nano_of_millisecond())
        }
        DataType::Array(t) => elements(&from.get_array(at)?, t.get_element_type())?,
        DataType::Map(t) => {
            let map = from.get_map(at)?;
            entries(&map, t.key_type(), t.value_type())?
        }
        DataType::Row(t) => {
            let inner = from.get_row(at)?;
            let fields = t.fields().iter().enumerate();
            let parts: Result<Vec<String>> =
                fields.map(|(i, f)| Ok(format!("{}: {}", f.name(), value(&inner, i, f.data_type())?))).collect();
            format!("{{{}}}", parts?.join(", "))
        }
    })
}

fn elements<A: InternalArray + ?Sized>(array: &A, element: &DataType) -> Result<String> {
    let parts: Result<Vec<String>> = (0..array.size()).map(|i| value(array, i, element)).collect();
    Ok(format!("[{}]", parts?.join(", ")))
}

fn entries<M: InternalMap>(map: &M, key: &DataType, of: &DataType) -> Result<String> {
    let parts: Result<Vec<String>> = (0..map.size())
        .map(|i| Ok(format!("{} -> {}", value(map.key_array(), i, key)?, value(map.value_array(), i, of)?)))
        .collect();
    Ok(format!("<{}>", parts?.join(", ")))
}

/// All columns of a row.
pub fn row<R: InternalRow>(row: &R, schema: &Schema) -> Result<String> {
    let columns = schema.columns().iter().enumerate();
    let parts: Result<Vec<String>> = columns.map(|(i, c)| value(row, i, c.data_type())).collect();
    Ok(format!("({})", parts?.join(", ")))
}

fn text(value: &str) -> String {
    if value.chars().count() > 60 {
        return format!("{:?}… {} bytes", value.chars().take(20).collect::<String>(), value.len());
    }
    format!("{value:?}")
}

fn hex(value: &[u8]) -> String {
    let shown: String = value.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
    if value.len() > 32 { format!("0x{shown}… {} bytes", value.len()) } else { format!("0x{shown}") }
}
