//! The places of a value, for those who change a record everywhere. (The tests of the server change what it wrote in the same way.)

use serde_json::Value;

/// Every value in a value, with the keys that lead there.
pub fn walk<'a>(value: &'a Value, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, &'a Value)>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, child)| (key.clone(), child)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(n, child)| (n.to_string(), child)).collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        path.push(key);
        found.push((path.clone(), child));
        walk(child, path, found);
        path.pop();
    }
}

/// What stands in a place.
pub fn at<'a>(value: &'a mut Value, path: &[String]) -> &'a mut Value {
    path.iter().fold(value, |value, key| match value {
        Value::Array(list) => &mut list[key.parse::<usize>().expect("a place")],
        other => &mut other[key.as_str()],
    })
}
