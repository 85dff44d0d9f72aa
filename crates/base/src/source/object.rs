//! Objects of JSON: readers of Rust's types accept a list of the fields' values for them, which
//! formats do not.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A value that is an object, and no list.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Fields(PhantomData))
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// Reads an object, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// It is none, or one of something else.
pub fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Object::deserialize(from).map(|Object(value)| value)
}

/// Reads a list of objects, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// As [`object`].
pub fn objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let all = Vec::<Object<T>>::deserialize(from)?;
    Ok(all.into_iter().map(|Object(value)| value).collect())
}

/// Reads an object that may be left out, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// As [`object`].
pub fn some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Object::deserialize(from).map(|Object(value)| Some(value))
}
